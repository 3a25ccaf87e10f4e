import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** The message about a whole form, above its fields. Renders nothing without a message. */
export const FormError = ({ children }: { children: ReactNode }) =>
  children ? (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertCircle size={16} />}
      styles={{ message: { color: 'var(--mantine-color-text)' }, root: { paddingBlock: 8 } }}
    >
      {children}
    </Alert>
  ) : null
