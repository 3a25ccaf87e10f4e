/** When the pictures are taken: a Wednesday, in the middle of the day, in the middle of a pay period. */
export const galleryNow = '2026-09-23T15:04:00Z'
