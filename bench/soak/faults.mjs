export const scenes=[];
