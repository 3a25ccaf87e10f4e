import pino, { type Logger } from 'pino'
import { logOutput } from './log-output.ts'

/** Logs JSON lines to standard output. Secrets are not logged in the first place; redaction is a safety net. */
export const makeLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization', 'key'],
        censor: '[removed]',
      },
    },
    logOutput(1),
  )
