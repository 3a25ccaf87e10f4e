import { optionsEndpoints, type Option } from '@tallyroom/contract/options'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { options, saveOptions: save } = optionsEndpoints

/** Read anew whenever the form is opened, and never renewed under the hands of whoever fills it in. */
export const optionsQuery = queryOptions({
  ...queryOf(options, {}, { gcTime: 0, staleTime: Infinity }),
  meta: { ownErrors: true },
})

export const saveOptions = (body: readonly Option[]) => call(save, { body: [...body] })
