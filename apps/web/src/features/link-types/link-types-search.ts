import { typeSortFields, staffTypeSortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the list keeps in the URL. */
export const linkTypesPageSearchSchema = z.object(
  listSearch([...typeSortFields, ...staffTypeSortFields]),
)
