import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the list keeps in the URL. */
export const approvalPageSearchSchema = z.object(listSearch(['username', 'officeName', 'regTime']))
