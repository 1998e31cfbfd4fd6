/** The exports of `dialtree/client`. The build generates the types of the contract from the schemas. */
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
