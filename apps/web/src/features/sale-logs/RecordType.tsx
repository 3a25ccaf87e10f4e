import { Badge, Group } from '@mantine/core'
import type { SaleLogItem } from '@tallyroom/contract/sale-logs'
import { eventTypeLabel, type Reversal } from '@tallyroom/domain/event-types'
import { Tooltip } from '../../ui/Tooltip.tsx'

/** What a record is, and what there is to know of it before anybody is paid. */
export const RecordType = ({ sale }: { sale: SaleLogItem }) => (
  <Group gap={6} wrap="nowrap" display="inline-flex">
    {recordLabel(sale)}
    {sale.reversal && (
      <Mark color="red" label="Takes the record back: its amounts are below zero">
        {REVERSAL_LABELS[sale.reversal]}
      </Mark>
    )}
    {sale.takenBackBy && (
      <Mark color="orange" label={`Was taken back later, by a ${sale.takenBackBy}`}>
        Taken back
      </Mark>
    )}
    {sale.fraud && (
      <Mark color="red" label="The click came from a black-listed address">
        Black-listed IP
      </Mark>
    )}
  </Group>
)

/** Its record type as the site names it. */
export const recordLabel = ({ eventType, useApproveSale }: SaleLogItem) =>
  eventTypeLabel(eventType, { useApproveSale })

export const REVERSAL_LABELS: Record<Reversal, string> = {
  void: 'Void',
  chargeback: 'Chargeback',
  fraud: 'Fraud',
}

interface MarkProps {
  color: string
  /** What it means. */
  label: string
  children: string
}

const Mark = ({ color, label, children }: MarkProps) => (
  <Tooltip label={label} withArrow>
    <Badge color={color} variant="light" flex="none" maw="none" tabIndex={0}>
      {children}
    </Badge>
  </Tooltip>
)
