import { Badge, Group } from '@mantine/core'
import type { SaleLogItem } from '@tallyroom/contract/desk/sale-logs'
import { type AbilityHolder, can } from '@tallyroom/domain/abilities'
import { formatPercent, signedDollars } from '@tallyroom/domain/money'
import { toldEventOf } from '@tallyroom/domain/event-types'
import { formatClock } from '@tallyroom/domain/new-york'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { subLabel } from '@tallyroom/contract/figures/stats-table'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { agentColumn, officeColumn, textColumn } from '../../ui/list/plain-columns.tsx'
import { siteColumn } from '../../shared/site-column.tsx'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { ShortLink } from '../../shared/ShortLink.tsx'
import { SalePay, tierPayText } from '../../shared/earned.tsx'
import { Clipped } from '../../ui/text/Clipped.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { recordLabel, reportedText, REVERSAL_LABELS } from './sale-words.ts'

/** What determines the columns: the viewer, and the amounts that the server sends. */
export interface SaleLogView {
  viewer: AbilityHolder
  earningVisible: boolean
  payoutVisible: boolean
}

interface Columns extends SaleLogView {
  /** Whether a record has arrived since the search. */
  isNew: (id: string) => boolean
}

export const saleLogColumns = ({
  viewer,
  isNew,
  ...visible
}: Columns): ListColumn<SaleLogItem>[] => {
  const columns: (ListColumn<SaleLogItem> | false)[] = [
    {
      id: 'date',
      header: 'Date',
      card: 'title',
      sortField: 'date',
      fixed: true,
      cell: ({ id, date }) => (
        <Group gap={6} wrap="nowrap" display="inline-flex">
          <SaleLink id={id}>
            <Instant at={date} />
          </SaleLink>
          {isNew(id) && (
            <Badge color="green" flex="none" maw="none">
              New
            </Badge>
          )}
        </Group>
      ),
      csv: [{ header: 'Date (New York)', value: ({ date }) => formatClock(new Date(date)) }],
    },
    {
      id: 'customerEmail',
      header: 'Email',
      cell: ({ customerEmail }) => (customerEmail ? <Clipped>{customerEmail}</Clipped> : '–'),
      csv: ({ customerEmail }) => customerEmail,
    },
    can(viewer, 'offices.choose') && officeColumn(),
    can(viewer, 'agents.choose') && agentColumn('agent'),
    siteColumn(),
    {
      ...textColumn('typename', 'Link', { card: 'title' }),
      cell: (sale) => (
        <Group gap="2px 6px" display="inline-flex">
          {sale.typename}
          <Marks sale={sale} />
        </Group>
      ),
    },
    visible.earningVisible && {
      id: 'earning',
      header: 'Earning',
      card: 'money',
      numeric: true,
      cell: ({ id, earning }) => <SaleLink id={id}>{signedDollars(earning)}</SaleLink>,
      csv: [{ header: 'Earning ($)', value: ({ earning }) => earning }],
    },
    visible.payoutVisible && {
      id: 'payout',
      header: 'Payout',
      card: 'money',
      numeric: true,
      cell: (sale) => <SalePay {...sale} />,
      csv: [
        { header: 'Payout (₱)', value: ({ payout }) => payout },
        {
          header: 'Paid by tier',
          value: ({ tierPay }) =>
            tierPay && `${tierPayText(tierPay)}${tierPay.isOnTop ? ', on top' : ', instead'}`,
        },
      ],
    },
    {
      id: 'clickId',
      header: 'Click id',
      cell: ({ clickId }) => (
        <Group gap={2} wrap="nowrap" display="inline-flex">
          <code title={clickId}>{clickId.slice(0, 6)}…</code>
          <CopyButton value={clickId} what="click id" />
        </Group>
      ),
      csv: ({ clickId }) => clickId,
    },
    ...SUB_NAMES.map((name) =>
      textColumn(name, subLabel(name), { note: 'Of the click', hiddenAtFirst: true }),
    ),
    {
      id: 'transactionId',
      header: 'Order number',
      note: 'The merchant’s transaction id',
      behind: true,
      cell: ({ id, transactionId }) =>
        transactionId === null ? (
          '–'
        ) : (
          <Group gap={2} wrap="nowrap" display="inline-flex">
            <SaleLink id={id}>{shortened(transactionId)}</SaleLink>
            <CopyButton value={transactionId} what="order number" />
          </Group>
        ),
      csv: ({ transactionId }) => transactionId,
    },
    {
      id: 'recordType',
      header: 'Record type',
      // A card has it beside the link, where it is more than a sale.
      card: 'detail',
      cell: recordLabel,
      csv: [
        {
          header: 'Record type',
          value: (sale) => [recordLabel(sale), changeWords(sale)].filter(Boolean).join(': '),
        },
        ...(visible.earningVisible ? [reportedInCsv] : []),
        { header: 'Reversal', value: ({ reversal }) => reversal && REVERSAL_LABELS[reversal] },
        {
          header: 'Reversed by',
          value: ({ takenBackBy }) => takenBackBy && REVERSAL_LABELS[takenBackBy],
        },
        { header: 'Black-listed IP', value: ({ fraud }) => (fraud ? 'yes' : '') },
      ],
    },
    can(viewer, 'logs.sales.referer') && {
      id: 'referer',
      header: 'Referer',
      cell: ({ referer }) =>
        referer ? <ShortLink url={referer} maxLength={REFERER_LENGTH} bare withoutCopy /> : '–',
      csv: ({ referer }) => referer,
    },
  ]
  return columns.filter((column) => column !== false)
}

/** In characters: enough for most hosts. */
const REFERER_LENGTH = 14

const reportedInCsv = {
  header: 'Reported by the merchant',
  value: ({ reported }: SaleLogItem) => reported && reportedText(reported),
}

/** What the record changes about an earlier one; empty for others. */
function changeWords({ partPercent, isDifference, isRestored, reversal }: SaleLogItem): string {
  if (partPercent !== undefined) return `${formatPercent(partPercent)} refunded`
  if (isDifference) return 'rate difference'
  return isRestored && !reversal ? 'counted again' : ''
}

/** What is not a plain sale, beside its link: the record type, reversals, what else changed the sale, and fraud. */
const Marks = ({ sale }: { sale: SaleLogItem }) => (
  <>
    {chipOf(sale) && (
      <Badge color="gray" flex="none" maw="none">
        {chipOf(sale)}
      </Badge>
    )}
    {sale.partPercent !== undefined && (
      <Mark color="orange" label="The merchant refunded this part of the sale, which still counts">
        {`${formatPercent(sale.partPercent)} refunded`}
      </Mark>
    )}
    {sale.isDifference && sale.partPercent === undefined && (
      <Mark color="blue" label="Backdated rates changed what the sale is worth by this much">
        Rate difference
      </Mark>
    )}
    {sale.isRestored && !sale.reversal && (
      <Mark color="green" label="It was reversed before, and counts again since then">
        Counted again
      </Mark>
    )}
    {sale.agentSuspended && (
      <Mark color="gray" label="The agent was suspended when it came. Its click was made before">
        Agent suspended
      </Mark>
    )}
    {sale.reversal && (
      <Mark color="red" label="Reverses an earlier record, so its amounts are negative">
        {REVERSAL_LABELS[sale.reversal]}
      </Mark>
    )}
    {sale.takenBackBy && (
      <Mark color="orange" label={`Later reversed by a ${sale.takenBackBy}`}>
        Reversed
      </Mark>
    )}
    {sale.fraud && (
      <Mark color="orange" label="The click came from a black-listed address">
        Black-listed IP
      </Mark>
    )}
  </>
)

/** What it is, unless that is a plain sale. An approval is shorter than in its own column, so that links keep their room. */
function chipOf(sale: SaleLogItem): string | undefined {
  const told = toldEventOf(sale.eventType, sale)
  if (told === 'sale') return undefined
  return told === 'approval' ? 'Approval' : recordLabel(sale)
}

/** Order numbers may have up to 128 characters. */
const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text)

interface MarkProps {
  color: string
  /** The explanation, as a tooltip. */
  label: string
  children: string
}

const Mark = ({ color, label, children }: MarkProps) => (
  <Tooltip label={label} withArrow>
    <Badge color={color} flex="none" maw="none" tabIndex={0}>
      {children}
    </Badge>
  </Tooltip>
)
