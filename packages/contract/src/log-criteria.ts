import { filter, idSchema } from './list.ts'
import { daySchema } from './periods.ts'

/** What every log can be narrowed by. */
export const logCriteria = {
  companyId: filter(idSchema),
  agentId: filter(idSchema),
  /** New York days, both inclusive; either may be left out. */
  start: filter(daySchema),
  end: filter(daySchema),
}
