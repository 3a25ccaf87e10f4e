import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { type Verification, verificationEndpoints } from '@tallyroom/contract/operate/verification'
import { formatCount } from '@tallyroom/domain/money'
import { type Verified, verifiedLabels } from '@tallyroom/domain/verification'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import { refreshVerifications, verificationsQuery } from './verification.api.ts'
import classes from './verification.module.css'

const REFRESH_MS = 5_000

/** Whether pay, the common logs and the totals are as Tallyroom wrote them. */
export function VerificationPage() {
  const query = useQuery({ ...verificationsQuery, refetchInterval: REFRESH_MS })
  const client = useQueryClient()
  const now = useMutation({
    mutationFn: (what: Verified) => call(verificationEndpoints.verifyNow, { params: { what } }),
    onSettled: () => refreshVerifications(client),
  })
  const columns = columnsOf((what) => now.mutate(what))
  return (
    <FormLoader query={query} fields={3}>
      {({ items }) => (
        <Stack gap="lg">
          <Text c="dimmed" maw={680}>
            Every night after 03:00 in New York, Tallyroom looks whether somebody has changed its
            database: what people decided about money, the common logs, and the totals. Each payment
            compares what it rests on as well.
          </Text>
          {items.map((one) => (
            <Differences key={one.what} {...one} />
          ))}
          <PlainTable
            label="Verification"
            columns={columns}
            rows={items}
            rowKey={({ what }) => what}
            marksOf={({ last }) => ({ 'data-bad': last !== null && last.found > 0 })}
            cards
          />
          <Text c="dimmed" size="sm" maw={680}>
            The end of a chain, kept where nobody who has the database can change it, proves later
            that nothing before it was rebuilt: it is in the nightly mail and in the server log. The
            command line compares it: <code>cli pay verify</code> and <code>cli audit verify</code>.
          </Text>
        </Stack>
      )}
    </FormLoader>
  )
}

/** What the last verification found, if it found anything. */
function Differences({ what, last }: Verification) {
  if (!last || last.found === 0) return null
  const more = last.found - last.findings.length
  return (
    <Alert color="red" title={`${verifiedLabels[what]}: ${differencesOf(last.found)}`}>
      <Stack gap="xs">
        <Text size="sm">
          Somebody has changed the database without Tallyroom, or it was restored in parts. Pay
          nothing of it until the operator knows what happened. docs/operations.md says what to do.
        </Text>
        <List size="sm" className={classes.findings}>
          {last.findings.map((finding) => (
            <List.Item key={finding}>{finding}</List.Item>
          ))}
        </List>
        {more > 0 && <Text size="sm">And {formatCount(more)} more.</Text>}
      </Stack>
    </Alert>
  )
}

const differencesOf = (found: number): string =>
  `${formatCount(found)} ${found === 1 ? 'difference' : 'differences'}`

const columnsOf = (verifyNow: (what: Verified) => void): PlainColumn<Verification>[] => [
  { header: 'What', namesRow: true, cell: ({ what }) => verifiedLabels[what] },
  {
    header: 'Result',
    cell: ({ last, isRunning, isAsked }) => (
      <>
        <span data-bad={(last !== null && last.found > 0) || undefined} className={classes.told}>
          {last?.told ?? 'Not verified yet'}
        </span>
        {(isRunning || isAsked) && (
          <Text size="xs" c="dimmed">
            {isRunning ? 'Being verified now …' : 'Starts within a minute …'}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'When',
    cell: ({ last }) =>
      last ? (
        <>
          <Instant at={last.endedAt} />
          <Text size="xs" c="dimmed">
            {tookText(last.tookMs)}
          </Text>
        </>
      ) : null,
  },
  {
    header: 'End of the chain',
    cell: ({ what, last }) =>
      last?.head ? (
        <Group gap={4} wrap="nowrap">
          <code>{shortened(last.head)}</code>
          <CopyButton
            value={last.head}
            what={`the end of the chain: ${verifiedLabels[what].toLowerCase()}`}
          />
        </Group>
      ) : null,
  },
  {
    header: 'Actions',
    cell: ({ what, isRunning, isAsked }) => (
      <Button
        variant="default"
        size="xs"
        aria-label={`Verify now: ${verifiedLabels[what].toLowerCase()}`}
        disabled={isRunning || isAsked}
        onClick={() => verifyNow(what)}
      >
        Verify now
      </Button>
    ),
  },
]

/** Number and the beginning of the hash. The whole one is copied. */
const shortened = (head: string): string => `${head.slice(0, head.indexOf(':') + 9)}…`

const tookText = (ms: number): string =>
  ms < 1_000
    ? 'took less than a second'
    : ms < 120_000
      ? `took ${Math.round(ms / 1_000)} s`
      : `took ${Math.round(ms / 60_000)} min`
