import ora, { type Ora } from 'ora'
import pino from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { Progress } from './progress.ts'

/** On a terminal, a line that moves and a bar; elsewhere a line for each finished step. */
export function terminalProgress(to: NodeJS.WriteStream): Progress {
  return {
    async step(title, run) {
      const startedAt = performance.now()
      // Hiding the cursor and reading the keyboard would catch the signals that stop the server.
      const spinner = to.isTTY
        ? ora({ stream: to, text: title, hideCursor: false, discardStdin: false }).start()
        : undefined
      current = { spinner }
      try {
        const result = await run((done, all, unit) => {
          const ms = performance.now() - startedAt
          if (spinner) spinner.text = `${title}  ${reachText({ done, all, unit, ms })}`
        })
        spinner?.stop()
        to.write(`✔ ${title.padEnd(TITLE_WIDTH)}${durationText(performance.now() - startedAt)}\n`)
        return result
      } finally {
        spinner?.stop()
        current = undefined
      }
    },
  }
}

const TITLE_WIDTH = 32

/** The step that is going on, and its line on a terminal. */
let current: { spinner: Ora | undefined } | undefined

/** A logger's output for people: what the step that is going on stands for is left out, and only errors have their stack. */
export function readableOutput(to: { write(line: string): void }, colorize: boolean) {
  const pretty = prettyFactory({ colorize, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
  return {
    write(line: string) {
      const { err, ...entry } = JSON.parse(line) as LogEntry // written by pino
      if (entry.level <= INFO && current) return
      const isFailure = entry.level >= ERROR
      const msg = err && !isFailure ? `${entry.msg}: ${err.message}` : entry.msg
      current?.spinner?.clear()
      to.write(pretty({ ...entry, msg, ...(isFailure && { err }) }))
      current?.spinner?.render()
    },
  }
}

type LogEntry = { level: number; msg: string; err?: { message: string } }

const { info: INFO = 30, error: ERROR = 50 } = pino.levels.values

const BAR_WIDTH = 24

type Reached = { done: number; all: number | undefined; unit: string | undefined; ms: number }

/** For example `████████░░░░░░░░ 50 %  1,200 of 2,400 rows · 300/s · 4 s left`. */
export function reachText({ done, all, unit, ms }: Reached): string {
  const count = done.toLocaleString('en-US')
  const perSecond = ms > 0 ? (done / ms) * 1_000 : 0
  const rate =
    unit !== undefined && perSecond >= 10
      ? ` · ${Math.round(perSecond).toLocaleString('en-US')}/s`
      : ''
  if (all === undefined || all <= 0) return `${count} ${unit ?? ''}${rate}`
  const share = Math.min(1, done / all)
  const full = Math.floor(share * BAR_WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
  const counted = unit === undefined ? '' : `  ${count} of ${all.toLocaleString('en-US')} ${unit}`
  const left = share > 0 && ms > 1_000 ? ` · ${durationText((ms / share) * (1 - share))} left` : ''
  return `${bar} ${Math.floor(share * 100)} %${counted}${rate}${left}`
}

/** For example `0.4 s`, `12 s` or `3 min 05 s`. */
export function durationText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
