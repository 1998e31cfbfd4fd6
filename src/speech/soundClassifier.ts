import type { SoundClass } from './ear.ts';

export interface SoundEvent {
  readonly type: 'sound';
  readonly sound: SoundClass;
  readonly sinceMs: number;
  readonly atMs: number;
}

export class SoundClassifier {
  feed(_pcm: Int16Array, _speech: number): SoundEvent[] {
    return [];
  }
}
