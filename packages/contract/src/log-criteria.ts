import { filter, idSchema } from './list.ts'
import { daySchema } from './periods.ts'

/** Filters that all logs share. */
export const logCriteria = {
  companyId: filter(idSchema),
  agentId: filter(idSchema),
  /** New York days, both inclusive and optional. */
  start: filter(daySchema),
  end: filter(daySchema),
}
