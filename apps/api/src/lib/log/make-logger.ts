import pino, { type Logger } from 'pino'
import { logOutput } from './log-output.ts'
import { type Progress, noProgress } from './progress.ts'

/** `json`: a line for each event, for programs. `pretty`: for a person at a terminal. */
export const LOG_FORMATS = ['json', 'pretty'] as const

export type LogFormat = (typeof LOG_FORMATS)[number]

type Chosen = {
  /** Undefined: JSON lines, except on a terminal. */
  logFormat: LogFormat | undefined
}

const isForPeople = ({ logFormat }: Chosen, to: { isTTY?: boolean }): boolean =>
  logFormat === undefined ? to.isTTY === true : logFormat === 'pretty'

/** Logs to standard output. Secrets are not logged in the first place; redaction is a safety net. */
export async function makeLogger(config: Chosen & { logLevel: string }): Promise<Logger> {
  const output = logOutput(1)
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      redact: {
        paths: ['password', '*.password', 'token', '*.token', 'req.headers.authorization', 'key'],
        censor: '[removed]',
      },
    },
    isForPeople(config, process.stdout)
      ? (await import('./terminal.ts')).readableOutput(output, process.stdout.isTTY)
      : output,
  )
}

/** Shows steps on standard error, to people. Loaded on demand, because a restart must be quick. */
export const makeProgress = async (config: Chosen): Promise<Progress> =>
  isForPeople(config, process.stderr)
    ? (await import('./terminal.ts')).terminalProgress(process.stderr)
    : noProgress
