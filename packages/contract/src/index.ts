export { endpoints } from './endpoints.ts'
export type { EndpointName } from './endpoints.ts'
