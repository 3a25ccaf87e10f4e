import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { queryOptions } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { options } = optionsEndpoints

export const optionsQuery = queryOptions({
  ...queryOf(options, {}),
  ...FOR_FORM,
})
