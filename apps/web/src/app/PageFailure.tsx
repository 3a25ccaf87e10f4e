import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'

/** Shown when a page fails to render, or its code fails to load (offline, or a new release). */
export function PageFailure({ reset }: ErrorComponentProps) {
  return (
    <div role="alert" style={{ padding: 32 }}>
      <h2>This page could not be shown</h2>
      <p>There may be a new version, or the connection was lost. Reload the page.</p>
      <Button onClick={() => location.reload()} mr="xs">
        Reload
      </Button>
      <Button variant="default" onClick={reset}>
        Try again
      </Button>
    </div>
  )
}
