import { AppError } from '../../errors.ts'

/** A period that was asked for by its name, of which there is none in this state. */
export const noPeriod = (state: 'open' | 'closed') =>
  new AppError('NOT_FOUND', `Pay has no such period that is ${state}.`)
