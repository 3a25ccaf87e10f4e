import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const program = `
  import { onStopSignal } from ${JSON.stringify(new URL('stop-signals.ts', import.meta.url).href)}
  onStopSignal(() => process.stdout.write('stop '))
  setInterval(() => {}, 1000)
  process.stdout.write('ready ')
`

test('one stop request counts once, however many signals arrive; a second one ends the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (said !== 'ready ') await sleep(10)

  child.kill('SIGINT')
  await sleep(50)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  await sleep(2_100)
  expect([said, child.exitCode]).toEqual(['ready stop ', null])

  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
})
