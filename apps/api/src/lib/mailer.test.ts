import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { movingClock } from './clock.ts'
import { openMailer } from './mailer.ts'

/** Accepts everything in SMTP except recipients that begin with `no`. */
const heard: string[] = []
const mailServer = createServer((socket) => {
  let isData = false
  socket.write('220 mail.example ready\r\n')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\r\n').slice(0, -1)) {
      heard.push(line)
      if (isData && line !== '.') continue
      if (line.startsWith('RCPT TO:<no')) socket.write('550 nobody here\r\n')
      else if (line === 'DATA') socket.write('354 go on\r\n')
      else socket.write('250 yes\r\n')
      isData = line === 'DATA'
    }
  })
})
mailServer.listen(0, '127.0.0.1')
await once(mailServer, 'listening')
const { port } = mailServer.address() as AddressInfo // it listens on a port

const mailer = openMailer({
  smtpUrl: `smtp://127.0.0.1:${port}`,
  outbox: '/nowhere',
  from: { name: 'Tallyroom', address: 'no-reply@office.example' },
  clock: movingClock('2026-03-01T15:00:00Z'),
})
afterAll(() => {
  mailer.close()
  mailServer.close()
})

test('a mail goes to the mail server', async () => {
  await mailer.send({ to: 'ann@example.com', subject: 'Hello', text: 'One line.' })
  expect(heard).toEqual(
    expect.arrayContaining([
      'MAIL FROM:<no-reply@office.example>',
      'RCPT TO:<ann@example.com>',
      'From: Tallyroom <no-reply@office.example>',
      'Subject: Hello',
      'One line.',
    ]),
  )
})

test('one that the mail server refuses is a failure', async () => {
  const mail = { to: 'nobody@example.com', subject: 'Hello', text: 'One line.' }
  await expect(mailer.send(mail)).rejects.toThrow('550')
})

test('no address can be smuggled in by a line break', async () => {
  heard.length = 0
  const mail = { to: 'ann@example.com', subject: 'Hello\r\nBcc: eve@example.com', text: '' }
  await mailer.send(mail)
  expect(heard).not.toContain('Bcc: eve@example.com')
  expect(heard.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ann@example.com>'])
})
