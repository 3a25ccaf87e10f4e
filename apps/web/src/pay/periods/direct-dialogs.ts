// What changes a balance without a statement. One chunk, loaded when one of them is opened.
export { ConversionDialog } from './ConversionDialog.tsx'
export { OutsideDialog } from './OutsideDialog.tsx'
