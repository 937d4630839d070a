// Replaces a dependency that the bundled program never loads.
module.exports = () => {
  throw new Error("this part is not in the bundle");
};
