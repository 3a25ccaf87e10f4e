import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'

interface SecretTextProps {
  value: string
  /** Names it for tooltips and screen readers: 'key'. */
  what: string
}

/** A secret that is shown on request; it can be copied unseen. */
export function SecretText({ value, what }: SecretTextProps) {
  const [shown, setShown] = useState(false)
  const label = shown ? `Hide ${what}` : `Show ${what}`
  return (
    <>
      <code>{shown ? value : '•'.repeat(24)}</code>
      <Tooltip label={label} withArrow>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={label}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
        </ActionIcon>
      </Tooltip>
      <CopyButton value={value} what={what} />
    </>
  )
}
