import { errorCode, isUnavailable } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { OperatorError } from '../lib/operator-error.ts'

/**
 * What a start or a command that failed tells the operator: what is wrong and what to do. An error that nobody foresaw comes
 * back as it is, to be shown with its stack.
 */
export function explain(error: unknown): unknown {
  if (error instanceof OperatorError || error instanceof AppError) return error.message
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  const { port, path, syscall } = error as NodeJS.ErrnoException & { port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is used by another program. Stop it, or choose another port: PORT=${(port ?? 3000) + 1}.`
    case 'EACCES':
    case 'EPERM':
      if (syscall === 'listen')
        return `This user may not open port ${port}. Choose one from 1024 on with PORT, behind a proxy.`
      return `This user may not use ${path ?? 'a file'}: ${error.message}. Correct its owner, or choose another folder with DATA_DIR.`
    case 'EROFS':
    case 'ENOTDIR':
      return `${path} cannot be made or written. Choose another folder with DATA_DIR.`
    case 'ENOSPC':
    case '53100':
      return 'The disk is full. Make room, and start again: nothing is lost.'
    case '28P01':
    case '28000':
      return `The database refuses the user or the password in DATABASE_URL: ${error.message}.`
    case '3D000':
      return `The database server has no such database: ${error.message}. Create it, or correct DATABASE_URL.`
    default:
      return isUnavailable(error)
        ? `The database, or a part of it, is not available: ${error.message}`
        : error
  }
}
