import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'

/** A page that could not be drawn, or whose code could not be loaded (offline, or a new release). */
export function PageFailure({ reset }: ErrorComponentProps) {
  return (
    <div role="alert" style={{ padding: 32 }}>
      <h2>This page could not be shown</h2>
      <p>Its code may have been replaced by a newer version, or the connection was lost.</p>
      <Button onClick={() => location.reload()} mr="xs">
        Reload
      </Button>
      <Button variant="default" onClick={reset}>
        Try again
      </Button>
    </div>
  )
}
