import { Code, Stack, Text } from '@mantine/core'
import type { Answered } from '@tallyroom/contract/desk/partner-postbacks'

const block = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const

/** What was asked, and what came back. */
export function Answer({ answered }: { answered: Answered }) {
  const { url, status, answer, error, tookMs } = answered
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} {...(!isGood && { c: 'var(--mantine-color-error)' })}>
        {status === null ? error : `Status ${status}`} · {tookMs.toLocaleString('en-US')} ms
        {status !== null && status >= 300 && status < 400 && ' · redirects are not followed'}
      </Text>
      <Code block style={block}>
        GET {url}
      </Code>
      {answer && (
        <Code block style={block}>
          {answer}
        </Code>
      )}
    </Stack>
  )
}
