import { z } from 'zod'
import { idSchema, sortAscSchema } from './list.ts'
import { siteListSortFields } from './list-choices.ts'

/** The sites of an office or an agent, to be read only. */
export const siteListSchema = {
  query: z.object({
    sortField: z.enum(siteListSortFields).default('hostname'),
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
