import { AppError } from '../../errors.ts'

/** For the operator, who types usernames on the command line and sees every account. */
export const noAccount = (username: string) =>
  new AppError(
    'NOT_FOUND',
    `There is no account with the username ${username}. Check its spelling.`,
  )
