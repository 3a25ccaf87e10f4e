import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchInt } from '../../lib/search.ts'

/** The manual that is open; absent means the first. */
export const howToSellSearchSchema = z.object({ manual: searchInt(1, MAX_ID) })
