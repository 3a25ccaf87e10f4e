import { CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Tooltip } from './Tooltip.tsx'
import { IconButton } from './IconButton.tsx'

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
          <IconButton onClick={copy} aria-label={copied ? `Copied ${what}` : `Copy ${what}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </IconButton>
        </Tooltip>
      )}
    </Copy>
  )
}
