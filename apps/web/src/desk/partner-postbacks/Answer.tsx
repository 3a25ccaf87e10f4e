import { Stack, Text } from '@mantine/core'
import type { Answered } from '@tallyroom/contract/desk/partner-postbacks'
import type { ReactNode } from 'react'
import classes from './Answer.module.css'

/** A URL or an answer, as it is. */
export const PlainText = ({ label, children }: { label: string; children: ReactNode }) => (
  <pre className={classes.text} tabIndex={0} aria-label={label}>
    {children}
  </pre>
)

/** What was asked, and what came back. */
export function Answer({ answered }: { answered: Answered }) {
  const { url, body, status, answer, error, tookMs } = answered
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} {...(!isGood && { c: 'var(--mantine-color-error)' })}>
        {status === null ? error : `Status ${status}`} · {tookMs.toLocaleString('en-US')} ms
        {status !== null && status >= 300 && status < 400 && ' · redirects are not followed'}
      </Text>
      <PlainText label="Request">
        {body === null ? `GET ${url}` : `POST ${url}\n\n${body}`}
      </PlainText>
      {answer && <PlainText label="Answer">{answer}</PlainText>}
    </Stack>
  )
}
