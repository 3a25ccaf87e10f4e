import type { Explanation } from '@tallyroom/contract/stats-explain'
import { signedDollars, signedPesos } from '../../../ui/signed-amounts.ts'

/** How the amounts of an explanation are written. */
export const amountFormat = ({ currency }: Explanation) =>
  currency === 'php' ? signedPesos : signedDollars
