import { z } from 'zod'
import { logSearch } from '../../pickers/log-criteria.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the page keeps in the URL. */
export const chatLogsSearchParams = z.object({
  ...listSearch(['officeName', 'agentUsername', 'sitename', 'clientUsername', 'submitTime']),
  ...logSearch,
})
