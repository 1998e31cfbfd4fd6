/**
 * What `dialtree/client` offers. The types of the contract stand beside it: the build declares them from the schemas.
 */
export { DialtreeClient } from './client.ts';
export type { CallOptions, ClientOptions, WaitOptions } from './client.ts';
export {
  AuthenticationError,
  CapacityError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { ServiceErrorOptions } from './errors.ts';
export type { ListItem, ListName } from './pages.ts';
export type { RetryParts } from './retry.ts';
