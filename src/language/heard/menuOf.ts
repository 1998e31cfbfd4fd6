import type { MenuReading } from '../../contract/menu.ts';
import type { Turn } from '../../contract/testRuns.ts';
import { readMenu } from '../menu/readMenu.ts';

const readings = new WeakMap<Turn, MenuReading>();

/** Returns what a turn offers and asks. Each turn is read once, however many criteria use it. */
export function menuOf(turn: Turn): MenuReading {
  const known = readings.get(turn);
  if (known) return known;
  const reading = readMenu(turn.text);
  readings.set(turn, reading);
  return reading;
}

export const menuOfPart = ({ turn, text }: { readonly turn: Turn; readonly text: string }): MenuReading =>
  text === turn.text ? menuOf(turn) : readMenu(text);
