/** Returns true if a host name or address, as in a URL or SIP URI, refers to this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/** Returns the addresses, one of each family, on which calls are placed. */
export const callingHosts = (leavesMachine: boolean): { readonly host: string; readonly otherHost: string } =>
  leavesMachine ? { host: '0.0.0.0', otherHost: '::' } : { host: '127.0.0.1', otherHost: '::1' };
