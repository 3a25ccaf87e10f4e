import { optionsEndpoints, type Option } from '@tallyroom/contract/catalogue/options'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { options, saveOptions: save } = optionsEndpoints

export const optionsQuery = queryOptions({
  ...queryOf(options, {}),
  ...FOR_FORM,
})

export const saveOptions = (body: readonly Option[]) => call(save, { body: [...body] })
