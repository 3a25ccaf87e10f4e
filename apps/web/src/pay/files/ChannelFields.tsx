import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { IconTrash } from '@tabler/icons-react'
import { IconButton } from '../../ui/IconButton.tsx'
import { Select } from '../../ui/Select.tsx'
import classes from '../runs.module.css'

type Channel = PayFileLayout['channels'][number]

interface ChannelFieldsProps {
  channels: PayFileLayout['channels']
  onChange: (channels: PayFileLayout['channels']) => void
}

/** Which transfers go through which channel. */
export function ChannelFields({ channels, onChange }: ChannelFieldsProps) {
  const change = (at: number, next: Partial<Channel>) =>
    onChange(channels.map((channel, index) => (index === at ? { ...channel, ...next } : channel)))
  return (
    <ol className={classes.list}>
      {channels.map((channel, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a channel's position is its rank
        <li key={at} className={classes.row} aria-label={`Channel ${at + 1}`}>
          <TextInput
            label="Name"
            maxLength={30}
            value={channel.name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <Select
            label="Takes"
            data={[
              { value: 'any', label: 'All accounts' },
              { value: 'bank', label: 'Bank accounts' },
              { value: 'wallet', label: 'E-wallets' },
            ]}
            value={channel.takes}
            onChange={(value) => value && change(at, { takes: value })}
          />
          <Select
            label="Currency"
            data={[
              { value: 'PHP', label: 'Pesos' },
              { value: 'USD', label: 'Dollars' },
            ]}
            value={channel.currency}
            onChange={(value) => change(at, { currency: value === 'USD' ? 'USD' : 'PHP' })}
          />
          <Limit label="Above" amount={channel.over} onChange={(over) => change(at, { over })} />
          <Limit
            label="Up to"
            amount={channel.upTo}
            onChange={(upTo) => change(at, { upTo, ...(!upTo && { split: false }) })}
          />
          <Checkbox
            label="Split above it"
            disabled={!channel.upTo}
            checked={channel.split ?? false}
            onChange={(event) => change(at, { split: event.currentTarget.checked })}
          />
          <IconButton
            aria-label={`Remove channel ${at + 1}`}
            disabled={channels.length === 1}
            onClick={() => onChange(channels.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </li>
      ))}
      <li>
        <Button
          variant="default"
          size="xs"
          onClick={() =>
            onChange([
              ...channels,
              { name: '', takes: 'any', currency: 'PHP', over: null, upTo: null },
            ])
          }
        >
          + Add channel
        </Button>
      </li>
    </ol>
  )
}

interface LimitProps {
  label: string
  /** Minor units; null for no limit. */
  amount: number | null
  onChange: (amount: number | null) => void
}

const Limit = ({ label, amount, onChange }: LimitProps) => (
  <NumberInput
    size="xs"
    label={label}
    placeholder="No limit"
    min={0}
    max={1_000_000_000}
    decimalScale={2}
    thousandSeparator=","
    value={amount === null ? '' : amount / 100}
    onChange={(value) => onChange(value === '' ? null : Math.round(Number(value) * 100))}
  />
)
