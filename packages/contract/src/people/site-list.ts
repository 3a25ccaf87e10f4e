import { z } from 'zod'
import { idSchema, sortAscSchema } from '../list.ts'
import { sortFields } from '../list-choices.ts'

/** The read-only list of the sites of an office or agent. */
export const siteListSchema = {
  query: z.object({
    sortField: z.enum(sortFields.siteList).default('hostname'),
    sortAsc: sortAscSchema,
  }),
  response: z.array(
    z.object({
      id: idSchema,
      sitename: z.string(),
      abbr: z.string(),
      active: z.boolean(),
      hidden: z.boolean(),
    }),
  ),
}
