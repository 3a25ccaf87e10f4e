import { Input, Skeleton } from '@mantine/core'
import { uploadsEndpoints } from '@tallyroom/contract/catalogue/uploads'
import { lazy, Suspense, type ReactNode } from 'react'
import { upload } from '../lib/forms/upload.ts'
import type { UploadPicture } from '../ui/rich-text/use-pictures.ts'

// Loaded on demand, because few users write texts.
const RichTextEditor = lazy(() =>
  import('../ui/rich-text/RichTextEditor.tsx').then((module) => ({
    default: module.RichTextEditor,
  })),
)

interface RichTextFieldProps {
  label: string
  value: string
  onChange: (html: string) => void
  error?: ReactNode
  required?: boolean
}

/** A text with headings, lists, tables and pictures. Pictures are uploaded to the server. */
export const RichTextField = ({ label, error, required, ...editor }: RichTextFieldProps) => (
  <Input.Wrapper label={label} labelElement="div" error={error} withAsterisk={required ?? false}>
    <Suspense fallback={<Skeleton height={500} role="status" aria-label="Loading" />}>
      <RichTextEditor label={label} uploadPicture={uploadPicture} {...editor} />
    </Suspense>
  </Input.Wrapper>
)

const uploadPicture: UploadPicture = (file, options) =>
  upload(uploadsEndpoints.uploadImage, file, options)
