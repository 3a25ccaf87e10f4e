import { ActionIcon, CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Tooltip } from './floating/Tooltip.tsx'

interface CopyButtonProps {
  value: string
  /** What is copied, for the tooltip and screen readers: 'link', 'password', 'id'. */
  what: string
}

export function CopyButton({ value, what }: CopyButtonProps) {
  return (
    <Copy value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`} withArrow>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}
