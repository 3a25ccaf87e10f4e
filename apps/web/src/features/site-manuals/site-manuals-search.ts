import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the list keeps in the URL. */
export const siteManualsSearchSchema = z.object(listSearch(['sitename', 'title']))
