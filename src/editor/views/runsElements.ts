import type { Run } from '../../contract/runs.ts';
import type { RunsList } from './runsList.ts';
import type { RunsElement } from './runsRows.ts';

type Group = Extract<RunsElement, { readonly kind: 'group' }>;

interface RunsElementsParts {
  readonly list: Pick<RunsList, 'rows' | 'hasMore'>;
  /** Returns the group in which a run is shown; without it, or undefined for the top level. */
  readonly groupOf?: (run: Run) => Pick<Group, 'groupId' | 'label'> | undefined;
}

/** Elements of the runs view. A row keeps its element while it is shown, because the editor redraws rows by element. */
export class RunsElements {
  readonly #parts: RunsElementsParts;
  #known: ReadonlyMap<string, RunsElement> = new Map();
  readonly #groups = new Map<string, Group>();
  #members = new Map<Group, RunsElement[]>();
  readonly #more: RunsElement = { kind: 'more' };

  constructor(parts: RunsElementsParts) {
    this.#parts = parts;
  }

  /** The top level: runs, and groups at the place of their first run, in list order. */
  all(): RunsElement[] {
    const { list, groupOf } = this.#parts;
    const known = new Map<string, RunsElement>();
    const top: RunsElement[] = [];
    this.#members = new Map();
    for (const run of list.rows) {
      const element = this.#known.get(run.id) ?? { kind: 'run', runId: run.id };
      known.set(run.id, element);
      const group = groupOf?.(run);
      if (group) this.#membersOf(group, top).push(element);
      else top.push(element);
    }
    this.#known = known;
    return [...top, ...(list.hasMore ? [this.#more] : [])];
  }

  in(group: Group): RunsElement[] {
    return this.#members.get(group) ?? [];
  }

  of(ids: readonly string[]): RunsElement[] {
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }

  #membersOf({ groupId, label }: Pick<Group, 'groupId' | 'label'>, top: RunsElement[]): RunsElement[] {
    let group = this.#groups.get(groupId);
    if (group?.label !== label) this.#groups.set(groupId, (group = { kind: 'group', groupId, label }));
    let members = this.#members.get(group);
    if (!members) {
      this.#members.set(group, (members = []));
      top.push(group);
    }
    return members;
  }
}
