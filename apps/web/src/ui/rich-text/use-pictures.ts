import { MAX_IMAGE_BYTES, type UploadedImage } from '@tallyroom/contract/catalogue/uploads'
import type { Editor } from '@tiptap/core'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import type { UploadOptions } from '../../lib/forms/upload.ts'

/** Uploads a picture to the server. */
export type UploadPicture = (file: File, options: UploadOptions) => Promise<UploadedImage>

/** An upload in progress. */
export interface PendingPicture {
  id: number
  name: string
  /** From 0 to 1. */
  share: number
  cancel: () => void
}

interface PicturesOptions {
  uploadPicture: UploadPicture
  onProblem: (problem: string) => void
}

let lastId = 0

/** Uploads pictures and inserts them into the editor. */
export function usePictures({ uploadPicture, onProblem }: PicturesOptions) {
  const [pending, setPending] = useState<readonly PendingPicture[]>([])

  async function add(editor: Editor, file: File, at: number) {
    const refusal = refusalOf(file)
    if (refusal) return onProblem(refusal)
    const id = ++lastId
    const abort = new AbortController()
    const place = keepPlace(editor, at)
    const cancel = () => abort.abort()
    setPending((others) => [...others, { id, name: file.name, share: 0, cancel }])
    const onProgress = (share: number) =>
      setPending((all) => all.map((one) => (one.id === id ? { ...one, share } : one)))
    try {
      const { url, width, height } = await uploadPicture(file, { onProgress, signal: abort.signal })
      if (!editor.isDestroyed)
        editor.commands.insertContentAt(place.position(), {
          type: 'image',
          attrs: { src: url, alt: '', width, height },
        })
    } catch (error) {
      if (!abort.signal.aborted) onProblem(`${file.name}: ${messageOf(error)}`)
    } finally {
      place.forget()
      setPending((all) => all.filter((one) => one.id !== id))
    }
  }

  return {
    pending,
    addAll: (editor: Editor, files: readonly File[], at: number) => {
      for (const file of files) void add(editor, file, at)
    },
  }
}

/** Refuses a file before it is uploaded in vain. The server checks it too. */
function refusalOf({ name, type, size }: File): string | undefined {
  if (!/^image\/(png|jpeg|webp|gif)$/.test(type))
    return `${name} must be a PNG, JPEG, WebP or GIF picture.`
  if (size > MAX_IMAGE_BYTES)
    return `${name} has ${(size / 1024 / 1024).toFixed(1)} MB. The limit is ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`
  return undefined
}

/** The server's message about the file, or the general message. */
function messageOf(error: unknown): string {
  if (!isApiError(error)) throw error
  const [about] = Object.values(error.data)[0] ?? []
  return about ? `The picture ${about}.` : error.message
}

/** Keeps track of the insertion point while the user types during the upload. */
function keepPlace(editor: Editor, at: number) {
  let position = at
  const follow = ({
    transaction,
  }: {
    transaction: { mapping: { map: (at: number) => number } }
  }) => {
    position = transaction.mapping.map(position)
  }
  editor.on('transaction', follow)
  return {
    position: () => Math.min(position, editor.state.doc.content.size),
    forget: () => editor.off('transaction', follow),
  }
}
