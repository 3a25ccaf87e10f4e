export { ratesOf } from './office-fees.queries.ts'
export type { Price, Rates } from './office-fees.queries.ts'
