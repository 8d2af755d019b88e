# Run as a script: writes OUTPUT, a C++ source that holds the files of the folder ROOT and the file
# GUIDE under its own name.
file(GLOB ASSETS ${ROOT}/*.json ${ROOT}/examples/*.json ${ROOT}/lessons/*.json ${ROOT}/completion/*
     ${ROOT}/page/* ${ROOT}/names.tsv)
set(text "#include \"base/embedded_assets.h\"\n\nnamespace attn {\nnamespace {\n\n")
set(table "")
set(index 0)
foreach(asset ${ASSETS} ${GUIDE})
  file(READ ${asset} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(RELATIVE_PATH name ${ROOT} ${asset})
  if(asset STREQUAL GUIDE)
    get_filename_component(name ${asset} NAME)
  endif()
  string(APPEND text "constexpr char kAsset${index}[] = {${bytes}'\\0'};\n")
  string(APPEND table "    {\"${name}\", {kAsset${index}, sizeof kAsset${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND text "\nconstexpr EmbeddedAsset kAssets[] = {\n${table}    {\"\", {}},\n};\n\n}  // namespace\n\n"
       "std::span<const EmbeddedAsset> embedded_assets() { return {kAssets, ${index}}; }\n\n}  // namespace attn\n")
file(WRITE ${OUTPUT} "${text}")
