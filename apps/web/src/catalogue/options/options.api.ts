import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { formQueryOf } from '../../lib/queries.ts'

export const optionsQuery = formQueryOf(optionsEndpoints.options, {})
