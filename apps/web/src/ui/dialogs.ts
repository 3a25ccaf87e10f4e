import { useSyncExternalStore, type ReactNode } from 'react'

export interface ConfirmRequest {
  heading: string
  body: ReactNode
  confirmLabel?: string
  /** Marks the Confirm button as one that destroys. */
  danger?: boolean
  hideCancel?: boolean
  /** What Confirm does. The dialog stays, busy, until it is done; a failure goes to the error policy. */
  action?: () => Promise<unknown>
  /** A failure is only logged. */
  silentErrors?: boolean
}

export interface AlertRequest {
  heading?: string
  body: ReactNode
}

/** A dialog on screen or waiting for its turn. */
export type OpenDialog = { id: number } & (
  | ({ kind: 'confirm'; settle: (confirmed: boolean) => void } & ConfirmRequest)
  | ({ kind: 'alert'; settle: () => void } & AlertRequest)
)

/** Asks; true once confirmed and done, false when cancelled or when the action failed. */
export const confirm = (request: ConfirmRequest) =>
  new Promise<boolean>((settle) =>
    change([...dialogs, { kind: 'confirm', id: ++lastId, settle, ...request }]),
  )

/** Tells; resolves when its Enter button is pressed. */
export const alert = (request: AlertRequest) =>
  new Promise<void>((settle) =>
    change([...dialogs, { kind: 'alert', id: ++lastId, settle, ...request }]),
  )

/** The dialog to draw now, and how to take it away. */
export const useCurrentDialog = (): OpenDialog | undefined =>
  useSyncExternalStore(subscribe, () => dialogs)[0]

export const removeDialog = (id: number) => change(dialogs.filter((dialog) => dialog.id !== id))

let dialogs: readonly OpenDialog[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly OpenDialog[]) {
  dialogs = next
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
