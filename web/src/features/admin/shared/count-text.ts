/** A number of videos with the noun: "1 video", "2 videos". */
export const videoCountText = (count: number): string => `${count} ${count === 1 ? 'video' : 'videos'}`
