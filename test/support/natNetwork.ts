import { execFileSync } from 'node:child_process';

/** A private network behind a NAT, and the network outside, as namespaces of this machine's network. */
export interface NatNetwork {
  readonly inside: string;
  readonly outside: { readonly sip: string; readonly stun: string };
  readonly publicHost: string;
  /** Ports that the NAT gives are in this range, so none stays as it is. */
  readonly publicPorts: readonly [number, number];
  /** Commands that run others inside or outside. */
  readonly enter: { readonly inside: readonly string[]; readonly outside: readonly string[] };
  readonly remove: () => void;
}

/** A mapping without packets from inside is forgotten after this, in s: sooner than a call lasts. */
export const mappingSeconds = 25;

/** Returns undefined and prints the reason if this machine doesn't permit it. */
export function createNatNetwork(): NatNetwork | undefined {
  const [inside, nat, outside] = ['in', 'nat', 'out'].map((part) => `dialtree${String(process.pid)}-${part}`);
  if (inside === undefined || nat === undefined || outside === undefined) return undefined;
  const remove = (): void => {
    process.off('exit', remove);
    for (const name of [inside, nat, outside])
      try {
        run('ip', 'netns', 'del', name);
      } catch {
        /* It was never created. */
      }
  };
  process.on('exit', remove);
  try {
    for (const name of [inside, nat, outside]) run('ip', 'netns', 'add', name);
    run('ip', '-n', inside, 'link', 'add', 'lan', 'type', 'veth', 'peer', 'name', 'lan', 'netns', nat);
    run('ip', '-n', outside, 'link', 'add', 'wan', 'type', 'veth', 'peer', 'name', 'wan', 'netns', nat);
    for (const [name, device, ...addresses] of [
      [inside, 'lan', '10.9.0.2/24'],
      [nat, 'lan', '10.9.0.1/24'],
      [nat, 'wan', '198.51.100.1/24'],
      [outside, 'wan', '198.51.100.2/24', '198.51.100.3/24'],
    ] as const) {
      for (const address of addresses) run('ip', '-n', name, 'addr', 'add', address, 'dev', device);
      for (const up of [device, 'lo']) run('ip', '-n', name, 'link', 'set', up, 'up');
    }
    run('ip', '-n', inside, 'route', 'add', 'default', 'via', '10.9.0.1');
    const ports = [40_000, 49_999] as const;
    const inNat = ['netns', 'exec', nat];
    for (const setting of [
      'net.ipv4.ip_forward=1',
      `net.netfilter.nf_conntrack_udp_timeout=${String(mappingSeconds)}`,
      `net.netfilter.nf_conntrack_udp_timeout_stream=${String(mappingSeconds)}`,
    ])
      run('ip', ...inNat, 'sysctl', '-qw', setting);
    const masquerade = ['-o', 'wan', '-p', 'udp', '-j', 'MASQUERADE', '--to-ports', ports.join('-')];
    run('ip', ...inNat, 'iptables', '-t', 'nat', '-A', 'POSTROUTING', ...masquerade);
    run('ip', ...inNat, 'iptables', '-A', 'INPUT', '-i', 'wan', '-j', 'DROP');
    return {
      inside,
      outside: { sip: '198.51.100.2', stun: '198.51.100.3' },
      publicHost: '198.51.100.1',
      publicPorts: ports,
      enter: { inside: ['ip', 'netns', 'exec', inside], outside: ['ip', 'netns', 'exec', outside] },
      remove,
    };
  } catch (error) {
    remove();
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    console.warn(`    skipped: no network namespaces here: ${reason}`);
    return undefined;
  }
}

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8', timeout: 30_000 });
