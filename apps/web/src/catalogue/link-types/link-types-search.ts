import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const linkTypesSearch = z.object(
  listSearch([...sortFields.linkTypes, ...sortFields.linkTypesStaff]),
)

export type LinkTypesSearch = z.output<typeof linkTypesSearch>
