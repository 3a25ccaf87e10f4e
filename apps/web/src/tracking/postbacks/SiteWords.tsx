import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import type { SiteWords as Words } from '@tallyroom/contract/tracking/site-words'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { LinkText } from '../../ui/links.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import classes from './integration.module.css'
import { siteWordsQuery } from './postbacks.api.ts'
import look from './SiteWords.module.css'

/** All that a site has sent so far, and what it is read as. */
export function SiteWords({ siteId }: { siteId: number }) {
  const query = useQuery(siteWordsQuery(siteId))
  return (
    <Stack gap="sm" component="section" aria-label="What this site sends">
      <div>
        <h2 className={classes.heading}>What this site sends</h2>
        <div className={classes.label}>
          Every parameter that came with the right key, and the words in it. Values are listed up to
          20; a parameter that has more says something else each time.
        </div>
      </div>
      {query.isError ? (
        <Alert color="red" title="What this site sends could not be loaded">
          <div>{query.error.message}</div>
          <Button variant="default" mt="xs" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </Alert>
      ) : query.data ? (
        <Sent siteId={siteId} of={query.data} />
      ) : (
        <Skeleton height={80} role="status" aria-label="Loading" />
      )}
    </Stack>
  )
}

function Sent({ siteId, of: { items, readUntil } }: { siteId: number; of: Words }) {
  const rows = items.flatMap(rowsOf)
  return (
    <>
      {rows.length > 0 && (
        <PlainTable
          label="Parameters"
          scrolls
          look="bare"
          className={look.table}
          columns={[
            {
              header: 'Sent',
              namesRow: true,
              cell: ({ parameter, value, example }) =>
                value === undefined ? (
                  <>
                    <code>{parameter}</code>
                    {example !== null && <div className={look.example}>such as {example}</div>}
                  </>
                ) : (
                  <code className={look.value}>{value}</code>
                ),
            },
            { header: 'Read as', cell: ({ meaning }) => meaning },
            { header: 'Times', numeric: true, cell: ({ times }) => formatCount(times) },
            {
              header: 'First',
              className: look.day,
              cell: ({ firstAt }) => dayOf(new Date(firstAt)),
            },
            { header: 'Last', className: look.day, cell: ({ lastAt }) => dayOf(new Date(lastAt)) },
          ]}
          rows={rows}
          rowKey={({ parameter, value }) => `${parameter}=${value ?? ''}`}
          marksOf={({ value, isUnknown }) => ({
            'data-value': value !== undefined || undefined,
            'data-unknown': isUnknown || undefined,
          })}
        />
      )}
      {rows.some(({ isUnknown }) => isUnknown) && (
        <div className={classes.label}>
          What an event or status means is said{' '}
          <LinkText underlined to="/app/sites/edit/$id" params={{ id: String(siteId) }}>
            in the site’s form
          </LinkText>
          .
        </div>
      )}
      <div className={classes.label}>
        {rows.length === 0 && 'Nothing has come yet. '}
        Postbacks are here within a minute. Received until <Instant at={readUntil} />.
      </div>
    </>
  )
}

type Item = Words['items'][number]

interface Row extends Pick<Item, 'parameter' | 'firstAt' | 'lastAt' | 'times'> {
  /** Undefined in the row of the parameter itself. */
  value: string | undefined
  example: string | null
  meaning: string
  isUnknown: boolean
}

/** A parameter, followed by its words. */
const rowsOf = ({ values, readAs, isFree, ...item }: Item): Row[] => [
  {
    ...item,
    example: isFree ? item.example : null,
    value: undefined,
    meaning: READ_AS[readAs],
    isUnknown: false,
  },
  ...values.map(({ means, ...word }) => ({
    ...word,
    parameter: item.parameter,
    example: null,
    meaning: means === null ? '' : MEANS[means],
    isUnknown: means === 'not understood' || means === 'held',
  })),
]

const READ_AS: Record<Item['readAs'], string> = {
  click_id: 'Which click',
  transaction_id: 'Which order',
  event: 'What happened',
  status: 'Whether it counts',
  type: 'Which product',
  email: 'Which customer',
  time: 'When',
  reverses: 'What is taken back',
  coupon: 'Whose code was used',
  amount: 'How much',
  kept: 'Nothing: kept',
  'not understood': 'Nothing',
}

const MEANS: Record<NonNullable<Item['values'][number]['means']>, string> = {
  sale: 'Sale',
  approval: 'Approval',
  bonus: 'Bonus',
  rebill: 'Rebill',
  click: 'Click',
  void: 'Takes back: void',
  chargeback: 'Takes back: chargeback',
  fraud: 'Takes back: fraud',
  counts: 'Counts',
  pending: 'Pending',
  rejected: 'Rejected',
  reverses: 'Takes back',
  ignored: 'Ignored',
  held: 'Held: it may take back',
  'not understood': 'Not known',
}
